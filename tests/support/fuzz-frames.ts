import fc from 'fast-check';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode: number;
  readonly payload: Uint8Array;
  readonly isFinal?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** What the frame says of its length, where that is not true. */
  readonly claimedLength?: bigint;
}

const MASK = Buffer.from([0x12, 0x34, 0x56, 0x78]);

/** The bytes of a frame as a client sends it, right or wrong. */
export function frameBytes({ opcode, payload, claimedLength, ...rest }: Frame): Buffer {
  const { isFinal = true, reserved = 0, isMasked = true } = rest;
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const length = lengthBytes(claimedLength ?? BigInt(payload.length));
  length[0] = (length[0] as number) | (isMasked ? 0x80 : 0);
  const masked = payload.map((byte, index) => byte ^ (MASK[index % 4] as number));
  return Buffer.concat([Buffer.from([first]), length, ...(isMasked ? [MASK, masked] : [payload])]);
}

function lengthBytes(length: bigint): Buffer {
  if (length < 126n) return Buffer.from([Number(length)]);
  const bytes = Buffer.alloc(length < 65_536n ? 3 : 9);
  bytes[0] = length < 65_536n ? 126 : 127;
  if (bytes.length === 3) bytes.writeUInt16BE(Number(length), 1);
  else bytes.writeBigUInt64BE(length, 1);
  return bytes;
}

export interface ReceivedFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The whole frames that a server has sent. Throws where they are not what a server may send. */
export function framesIn(bytes: Buffer): ReceivedFrame[] {
  const frames: ReceivedFrame[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const [first, second] = [bytes[at] as number, bytes[at + 1] as number];
    if ((first & 0xf0) !== 0x80 || second > 127) throw new Error(`Not a frame of a server: ${first} ${second}`);
    const extra = second === 127 ? 8 : second === 126 ? 2 : 0;
    if (at + 2 + extra > bytes.length) return frames;
    const length = extra === 0 ? second : bytes.readUIntBE(at + 4 - (extra === 2 ? 2 : -2), extra === 2 ? 2 : 4);
    const start = at + 2 + extra;
    if (start + length > bytes.length) return frames;
    frames.push({ opcode: first & 0xf, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}

/** A text in one frame or several, with control frames between them, as it may come. */
export const fragmented = (
  text: Buffer,
  { cuts, pings }: { readonly cuts: readonly number[]; readonly pings: readonly Uint8Array[] },
): Buffer => {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length];
  const parts = ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end));
  const frames = parts.flatMap((payload, index) => [
    frameBytes({
      opcode: index === 0 ? OPCODE.text : OPCODE.continuation,
      payload,
      isFinal: index === parts.length - 1,
    }),
    ...(pings[index] ? [frameBytes({ opcode: OPCODE.ping, payload: pings[index] as Uint8Array })] : []),
  ]);
  return Buffer.concat([...frames, ...pings.slice(parts.length).map((payload) => frameBytes({ opcode: 9, payload }))]);
};

const small = fc.uint8Array({ maxLength: 20 });
const closing = (code: number, reason = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([code >> 8, code & 255]), reason]);
const NOTHING = Buffer.alloc(0);

/** Frames that end a connection, and the codes of RFC 6455 that it may end with. */
export const badFrames: fc.Arbitrary<{ readonly bytes: Buffer; readonly codes: readonly number[] }> = fc.oneof(
  ...[
    small.map((payload) => ({ frames: [{ opcode: OPCODE.text, payload, isMasked: false }], codes: [1002] })),
    fc.tuple(small, fc.constantFrom(1, 2, 3, 4, 7)).map(([payload, reserved]) => ({
      frames: [{ opcode: OPCODE.text, payload, reserved }],
      codes: [1002],
    })),
    fc.tuple(small, fc.constantFrom(3, 4, 7, 11, 15)).map(([payload, opcode]) => ({
      frames: [{ opcode, payload }],
      codes: [1002],
    })),
    small.map((payload) => ({ frames: [{ opcode: OPCODE.ping, payload, isFinal: false }], codes: [1002] })),
    fc.constant({ frames: [{ opcode: OPCODE.ping, payload: Buffer.alloc(126) }], codes: [1002] }),
    small.map((payload) => ({ frames: [{ opcode: OPCODE.continuation, payload }], codes: [1002] })),
    fc.constant({
      frames: [
        { opcode: OPCODE.text, payload: Buffer.from('{'), isFinal: false },
        { opcode: OPCODE.text, payload: Buffer.from('}') },
      ],
      codes: [1002],
    }),
    fc.constant({ frames: [{ opcode: OPCODE.text, payload: Buffer.from([0xff, 0xfe]) }], codes: [1007] }),
    small.map((payload) => ({ frames: [{ opcode: OPCODE.binary, payload }], codes: [1003] })),
    fc.constantFrom(20_000_000n, 2n ** 40n).map((claimedLength) => ({
      frames: [{ opcode: OPCODE.text, payload: NOTHING, claimedLength }],
      codes: [1009],
    })),
    fc.constant({ frames: [{ opcode: OPCODE.text, payload: NOTHING, claimedLength: 2n ** 63n }], codes: [1002, 1009] }),
    fc.constantFrom(0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535).map((code) => ({
      frames: [{ opcode: OPCODE.close, payload: closing(code) }],
      codes: [1002],
    })),
    fc.constant({ frames: [{ opcode: OPCODE.close, payload: Buffer.from([3]) }], codes: [1002] }),
    fc.constant({ frames: [{ opcode: OPCODE.close, payload: closing(1000, Buffer.from([0xff])) }], codes: [1007] }),
    fc.constantFrom(1000, 1001, 3000, 4999).map((code) => ({
      frames: [{ opcode: OPCODE.close, payload: closing(code) }],
      codes: [code],
    })),
  ].map((kind) =>
    (kind as fc.Arbitrary<{ frames: Frame[]; codes: number[] }>).map(({ frames, codes }) => ({
      bytes: Buffer.concat(frames.map(frameBytes)),
      codes,
    })),
  ),
);
