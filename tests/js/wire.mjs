// Frames and the connection: docs/protocol.md, sections 1 to 4.
import { createHash } from "node:crypto";
import net from "node:net";
import tls from "node:tls";
import { decode, encode } from "@msgpack/msgpack";

const FROM_SERVER_CAP = 1048576;

/** The message as a frame. */
export function frame(message) {
  const body = encode(message);
  const bytes = Buffer.alloc(4 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.set(body, 4);
  return bytes;
}

/** Cuts a stream into frames; `feed` returns the messages completed by some bytes. */
export class Frames {
  rest = Buffer.alloc(0);

  feed(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    const messages = [];
    while (this.rest.length >= 4) {
      const length = this.rest.readUInt32BE(0);
      if (length === 0 || length > FROM_SERVER_CAP) throw new Error(`a frame of ${length} bytes`);
      if (this.rest.length < 4 + length) break;
      messages.push(decode(this.rest.subarray(4, 4 + length)));
      this.rest = this.rest.subarray(4 + length);
    }
    return messages;
  }
}

/** Bytes in base32, small letters, without "=". */
function base32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.match(/.{1,5}/g).map((five) => "abcdefghijklmnopqrstuvwxyz234567"[parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** An encrypted connection to the one server that has the pinned certificate. */
async function encrypted(port, host, pin) {
  // No authority signs these certificates: the pin is checked instead, before anything is sent.
  const options = { port, host, ALPNProtocols: ["ryo/1"], minVersion: "TLSv1.3", rejectUnauthorized: false };
  const socket = tls.connect(options);
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  const seen = base32(createHash("sha256").update(socket.getPeerCertificate().raw).digest());
  if (pin.length < 26 || !seen.startsWith(pin)) {
    socket.destroy();
    throw new Error(`another certificate: ${seen}`);
  }
  return socket;
}

/** A connection after the handshake: `send(message)`, `await next()`, `close()`. Without a pin it is plain TCP. */
export async function connect(port, pin = "", host = "127.0.0.1") {
  const socket = pin ? await encrypted(port, host, pin) : net.connect(port, host);
  const frames = new Frames();
  const ready = [];
  let wake = null;
  let over = null;
  const stir = () => {
    if (wake) wake();
    wake = null;
  };
  socket.on("data", (bytes) => {
    ready.push(...frames.feed(bytes));
    stir();
  });
  socket.on("error", (error) => {
    over = error;
    stir();
  });
  socket.on("close", () => {
    over = over ?? new Error("the server closed the connection");
    stir();
  });
  const line = {
    send: (message) => socket.write(frame(message)),
    close: () => socket.end(),
    async next() {
      for (;;) {
        if (ready.length) return ready.shift();
        if (over) throw over;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
  line.send({ type: "hello", protocol: [1, 1], client: "minimal.js" });
  const answer = await line.next();
  if (answer.type !== "welcome") throw new Error(answer.text);
  if (answer.protocol !== 1) throw new Error(`protocol ${answer.protocol}`);
  return line;
}
