/** Numbers of system calls that programs do not get, by what they would reach. */
interface Calls {
  /** How the kernel calls the architecture: https://github.com/torvalds/linux/blob/master/include/uapi/linux/audit.h */
  readonly architecture: number;
  readonly socket: number;
  readonly refused: readonly number[];
}

const shared = [
  425, // io_uring_setup: what a ring does, no filter sees
  447, // memfd_secret: memory that no process has mapped
];

const x64: Calls = {
  architecture: 0xc000003e,
  socket: 41,
  refused: [
    ...shared,
    319, // memfd_create
    // shmget, semget, msgget: memory that outlives its process
    29,
    64,
    68,
    // ptrace, process_vm_readv, process_vm_writev
    101,
    310,
    311,
    // add_key, request_key, keyctl: keys belong to the user, not to the box
    248,
    249,
    250,
    // perf_event_open, bpf, userfaultfd: what breaks kernels
    298,
    321,
    323,
    103, // syslog: the kernel's messages
  ],
};

/** The same calls, in the same order. */
const arm64: Calls = {
  architecture: 0xc00000b7,
  socket: 198,
  refused: [...shared, 279, 194, 190, 186, 117, 270, 271, 217, 218, 219, 241, 280, 282, 116],
};

/** Internet, of both versions, and netlink, by which programs list addresses. Unix sockets and those of virtual machines lead out. */
const socketFamilies = [2, 10, 16];

const operation = { load: 0x20, isEqual: 0x15, isAtLeast: 0x35, return: 0x06 } as const;
const outcome = { allow: 0x7fff0000, refuse: 0x00050001, noFamily: 0x00050061, kill: 0x80000000 } as const;
const field = { call: 0, architecture: 4, argument: 16 } as const;
/** Calls of the 32-bit interface of x64 have this bit. */
const x32Calls = 0x40000000;

/**
 * The filter of system calls, in the form that bubblewrap takes: https://docs.kernel.org/userspace-api/seccomp_filter.html
 * @returns `undefined` for an architecture without one.
 */
export function seccompFilter(architecture: string): Uint8Array | undefined {
  const calls = architecture === "x64" ? x64 : architecture === "arm64" ? arm64 : undefined;
  if (!calls) return undefined;
  const end = (value: number): Instruction => [operation.return, 0, 0, value];
  const load = (offset: number): Instruction => [operation.load, 0, 0, offset];
  /** Steps over the next instruction unless the value is equal. */
  const ifEqual = (value: number): Instruction => [operation.isEqual, 0, 1, value];
  return bytesOf([
    load(field.architecture),
    [operation.isEqual, 1, 0, calls.architecture],
    end(outcome.kill),
    load(field.call),
    [operation.isAtLeast, 0, 1, x32Calls],
    end(outcome.refuse),
    ...calls.refused.flatMap((call) => [ifEqual(call), end(outcome.refuse)]),
    [operation.isEqual, 1, 0, calls.socket],
    end(outcome.allow),
    load(field.argument),
    ...socketFamilies.flatMap((family) => [ifEqual(family), end(outcome.allow)]),
    end(outcome.noFamily),
  ]);
}

/** Code, steps where it holds, steps where it does not, value. */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

function bytesOf(instructions: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, [code, yes, no, value]] of instructions.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, yes);
    view.setUint8(index * 8 + 3, no);
    view.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(view.buffer);
}
