// MessagePack, as much of it as a client's messages have: null, booleans, whole numbers, strings, bytes, lists, maps.

const TEXT = new TextEncoder();

/** The head of a value with a length: the short kinds first, as [most, how]. */
function head(length, short, base, wide) {
  if (length <= short) return [base | length];
  if (wide[0] !== null && length < 0x100) return [wide[0], length];
  if (length < 0x10000) return [wide[1], length >> 8, length & 0xff];
  throw new RangeError("a value that is too long for a message");
}

function number(value) {
  if (!Number.isSafeInteger(value)) throw new RangeError(`no whole number: ${value}`);
  if (value < 0) {
    if (value < -32) throw new RangeError("a number below -32");
    return [0x100 + value];
  }
  if (value < 0x80) return [value];
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x100000000 ? 4 : 8;
  const bytes = [0xcc + Math.log2(size)];
  for (let at = size - 1; at >= 0; at--) bytes.push(Math.floor(value / 2 ** (8 * at)) % 0x100);
  return bytes;
}

function put(value, out) {
  if (value === null) out.push(0xc0);
  else if (value === true) out.push(0xc3);
  else if (value === false) out.push(0xc2);
  else if (typeof value === "number") out.push(...number(value));
  else if (typeof value === "string") {
    const bytes = TEXT.encode(value);
    out.push(...head(bytes.length, 31, 0xa0, [0xd9, 0xda]), ...bytes);
  } else if (value instanceof Uint8Array) {
    out.push(...head(value.length, -1, 0, [0xc4, 0xc5]), ...value);
  } else if (Array.isArray(value)) {
    out.push(...head(value.length, 15, 0x90, [null, 0xdc]));
    for (const item of value) put(item, out);
  } else {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    out.push(...head(entries.length, 15, 0x80, [null, 0xde]));
    for (const [key, item] of entries) {
      put(key, out);
      put(item, out);
    }
  }
}

/** The bytes of a value; keys whose value is undefined are left out. Throws RangeError. */
export function encode(value) {
  const out = [];
  put(value, out);
  return Uint8Array.from(out);
}
