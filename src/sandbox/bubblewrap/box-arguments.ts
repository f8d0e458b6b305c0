import { lstatSync, readlinkSync } from "node:fs";
import type { TierOptions } from "../types.ts";

/** The numbers of the descriptors that bubblewrap gets, beside those of folders, which follow. */
export const descriptorOf = { status: 3, seccomp: 4, variables: 5, firstFolder: 6 } as const;

/** What programs need of `/etc`: nothing of it is secret. */
export const settings: readonly string[] = [
  "alternatives",
  "fonts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "mime.types",
  "ssl/certs",
];
const networkSettings = ["hosts", "nsswitch.conf", "protocols", "resolv.conf", "services"];

/** What a box of root's could still read: the machine's memory, keys and addresses. */
const masked = [
  "kallsyms",
  "kcore",
  "key-users",
  "keys",
  "kmsg",
  "kpagecgroup",
  "kpagecount",
  "kpageflags",
  "sched_debug",
  "slabinfo",
  "sysrq-trigger",
  "timer_list",
  "vmallocinfo",
];

/** The arguments of bubblewrap for a box. Folders are mounted by descriptors, in their order. */
export function boxArguments({ folders, cwd, net, memoryMb }: TierOptions): string[] {
  const size = String(megabytes(memoryMb));
  const memory = (path: string): string[] => ["--size", size, "--perms", "1777", "--tmpfs", path];
  return [
    ["--unshare-user", "--unshare-all", ...(net ? ["--share-net"] : [])],
    ["--disable-userns", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"],
    ["--new-session", "--die-with-parent"],
    ["--json-status-fd", String(descriptorOf.status), "--seccomp", String(descriptorOf.seccomp)],
    ["--args", String(descriptorOf.variables)],
    ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/nix/store", "/nix/store"],
    ["/bin", "/lib", "/lib64", "/sbin"].flatMap(systemFolder),
    settings.flatMap(setting),
    net ? networkSettings.flatMap(setting) : [],
    ["--proc", "/proc", ...masked.flatMap(mask), "--remount-ro", "/proc"],
    ["--dev", "/dev", ...memory("/dev/shm"), "--remount-ro", "/dev"],
    [...memory("/tmp"), "--symlink", "/tmp", "/var/tmp", "--dir", cwd],
    folders.flatMap(({ target, isWritable }, index) => [
      isWritable ? "--bind-fd" : "--ro-bind-fd",
      String(descriptorOf.firstFolder + index),
      target,
    ]),
    // Last: what has been made on the way to all that is closed, too.
    ["--remount-ro", "/", "--chdir", cwd],
  ].flat();
}

function setting(name: string): string[] {
  return ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`];
}

/** A system folder as it is here: most systems have links into `/usr`. */
function systemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function mask(name: string): string[] {
  const path = `/proc/${name}`;
  return lstatSync(path, { throwIfNoEntry: false }) ? ["--ro-bind", "/dev/null", path] : [];
}

/** What programs need beside their own heap: some reserve half a gigabyte without using it. The watch counts what is used. */
const reservedMb = 768;

/** How long after its time a program is ended from within, in seconds: if this process cannot. */
const grace = 5;

/** Its path, not its name: which of them runs must not depend on variables of the box. */
const prlimit = "/usr/bin/prlimit";

/**
 * Starts a program with the limits that the kernel holds each process to, once there is a first line to read.
 * It gets its variables last: a library of the box's own could free those that hold the limits of them.
 */
export function limitedProgram(
  argv: readonly string[],
  { env, memoryMb, processes, fileMb, timeout }: TierOptions,
): string[] {
  return [
    "/bin/sh",
    "-c",
    'read -r _ && exec "$@"',
    "sh",
    "/usr/bin/timeout",
    "-s",
    "KILL",
    String(Math.ceil(timeout / 1_000) + grace),
    // Who watches over the box must get its turn beside thousands of processes.
    "/usr/bin/nice",
    "-n",
    "19",
    prlimit,
    `--data=${megabytes(memoryMb + reservedMb)}`,
    `--fsize=${megabytes(fileMb)}`,
    // The watch is first, and says why.
    `--nproc=${Math.ceil(processes * 2)}`,
    "--nofile=1024",
    "--core=0",
    "--",
    ...withVariables(Object.keys(env)),
    ...argv,
  ];
}

/** Gives a program its variables under their names. `env` takes a name with "=" for a variable, so `prlimit` starts the program. */
function withVariables(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const removals = names.map((_, index) => `-u ${placeholder(index)}`);
  const variables = names.map((name, index) => `${quoted(name)}=\${${placeholder(index)}}`);
  return ["/usr/bin/env", "-S", [...removals, "--", ...variables].join(" "), prlimit, "--core=0", "--"];
}

/** A name that means nothing to a program that makes the box. */
export function placeholder(index: number): string {
  return `SKEIN_BOX_${index}`;
}

function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, "\\$&")}'`;
}

/** Arguments that set variables in a box alone. They come by a descriptor: all users see the arguments of a process. */
export function variableArguments(env: TierOptions["env"]): string {
  return Object.values(env)
    .map((value, index) => `--setenv\0${placeholder(index)}\0${value}\0`)
    .join("");
}

function megabytes(count: number): number {
  return Math.ceil(count * 1_048_576);
}
