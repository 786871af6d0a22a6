// MessagePack, as much of it as our journals and messages have: docs/protocol.md, section 3.

const TEXT = new TextDecoder();

/** The one value in the bytes; maps become objects. Throws RangeError for a value that is cut short or of another kind. */
export function decode(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  const uint = (size) => {
    at += size;
    if (size === 1) return data.getUint8(at - 1);
    if (size === 2) return data.getUint16(at - 2);
    if (size === 4) return data.getUint32(at - 4);
    return Number(data.getBigUint64(at - 8));
  };
  const int = (size) => {
    at += size;
    if (size === 1) return data.getInt8(at - 1);
    if (size === 2) return data.getInt16(at - 2);
    if (size === 4) return data.getInt32(at - 4);
    return Number(data.getBigInt64(at - 8));
  };
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
    const first = uint(1);
    if (first < 0x80) return first;
    if (first < 0x90) return map(first & 15);
    if (first < 0xa0) return array(first & 15);
    if (first < 0xc0) return text(first & 31);
    if (first >= 0xe0) return first - 256;
    switch (first) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: case 0xc5: case 0xc6: return raw(uint(1 << (first - 0xc4)));
      case 0xcb: return (at += 8), data.getFloat64(at - 8);
      case 0xcc: case 0xcd: case 0xce: case 0xcf: return uint(1 << (first - 0xcc));
      case 0xd0: case 0xd1: case 0xd2: case 0xd3: return int(1 << (first - 0xd0));
      case 0xd9: case 0xda: case 0xdb: return text(uint(1 << (first - 0xd9)));
      case 0xdc: case 0xdd: return array(uint(2 << (first - 0xdc)));
      case 0xde: case 0xdf: return map(uint(2 << (first - 0xde)));
      default: throw new RangeError(`no value begins with byte ${first}`);
    }
  }
  return value();
}
