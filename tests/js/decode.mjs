// Reads frames from standard input and prints each body as one line of JSON, bytes as {"$bin": hex}.
import { Frames } from "./wire.mjs";

function plain(value) {
  if (value instanceof Uint8Array) return { $bin: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  }
  return value;
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
for (const message of new Frames().feed(Buffer.concat(chunks))) console.log(JSON.stringify(plain(message)));
