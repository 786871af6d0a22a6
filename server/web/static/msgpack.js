// MessagePack, as much of it as our journals and messages have: docs/protocol.md, section 3.

const TEXT = new TextDecoder();
const UINTS = ["Uint8", "Uint16", "Uint32", "BigUint64"];
const INTS = ["Int8", "Int16", "Int32", "BigInt64"];

/** The one value in the bytes; maps become objects. Throws RangeError for a value that is cut short or of another kind. */
export function decode(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  /** A number of 1, 2, 4 or 8 bytes, for the powers 0 to 3. */
  const number = (kinds, power) => {
    at += 1 << power;
    return Number(data[`get${kinds[power]}`](at - (1 << power)));
  };
  const uint = (power) => number(UINTS, power);
  const raw = (length) => {
    if (at + length > bytes.length) throw new RangeError(`cut short at byte ${at}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const text = (length) => TEXT.decode(raw(length));
  const array = (length) => {
    const items = [];
    for (let i = 0; i < length; i++) items.push(value());
    return items;
  };
  const map = (length) => {
    const entries = [];
    for (let i = 0; i < length; i++) entries.push([value(), value()]);
    return Object.fromEntries(entries);
  };

  function value() {
    const first = uint(0);
    if (first < 0x80) return first;
    if (first < 0x90) return map(first & 15);
    if (first < 0xa0) return array(first & 15);
    if (first < 0xc0) return text(first & 31);
    if (first >= 0xe0) return first - 256;
    switch (first) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: case 0xc5: case 0xc6: return raw(uint(first - 0xc4));
      case 0xcb: return (at += 8), data.getFloat64(at - 8);
      case 0xcc: case 0xcd: case 0xce: case 0xcf: return uint(first - 0xcc);
      case 0xd0: case 0xd1: case 0xd2: case 0xd3: return number(INTS, first - 0xd0);
      case 0xd9: case 0xda: case 0xdb: return text(uint(first - 0xd9));
      case 0xdc: case 0xdd: return array(uint(first - 0xdc + 1));
      case 0xde: case 0xdf: return map(uint(first - 0xde + 1));
      default: throw new RangeError(`no value begins with byte ${first}`);
    }
  }
  return value();
}
