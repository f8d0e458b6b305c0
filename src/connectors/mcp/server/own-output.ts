import { Writable } from "node:stream";

let owned: { readonly wire: Writable; readonly giveBack: () => void } | undefined;

/**
 * Makes standard output the protocol's alone: what anything else writes there, `console.log` included, goes to standard error,
 * until it is released. Every call returns the same stream.
 */
export function ownOutput(): { readonly wire: Writable; readonly giveBack: () => void } {
  if (owned) return owned;
  const { stdout, stderr } = process;
  const own = Object.getOwnPropertyDescriptor(stdout, "write");
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  });
  // Standard output has the same error, for those who listen there.
  wire.on("error", () => {});
  const giveBack = (): void => {
    if (own) Object.defineProperty(stdout, "write", own);
    else Reflect.deleteProperty(stdout, "write");
    owned = undefined;
  };
  owned = { wire, giveBack };
  return owned;
}
