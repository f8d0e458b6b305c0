/** What programs try in containers of podman, and how these end. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sandbox, SandboxError, type SandboxOptions } from "skein/sandbox";
import { testAttempts } from "./attempt-suite.ts";
import { countContainers, startEngine, type Engine } from "./engine.ts";
import { attempt, attemptLine, attemptOptions } from "./host.ts";
import { namedPipe } from "./named-pipe.ts";
import { startOtherUser } from "./other-user.ts";

let engine: Engine;
beforeAll(() => {
  engine = startEngine();
});
afterAll(() => engine.close());

const open = (options: SandboxOptions) => sandbox.open({ via: engine.via, ...options });

/** What a limit leaves of a program is what the kernel says to it: an engine does not say which one it was. */
const noProcess = /Resource temporarily unavailable|timeout/;
const noMemory = /Killed/;

const host = testAttempts(
  (root, line) => open(attemptOptions(root)).exec(attemptLine(root, line)),
  {
    // Those of the image, to which the engine adds the user.
    "to read passwords": /container user|No such file/,
    // Devices of the container's own, in memory.
    "to write among devices": /^$/,
    "to read the environment of the first process": /^HOME=\/tmp$/m,
    "to read the process's environment": /^HOME=\/tmp$/m,
    // Who started this process is who the program is, without rights.
    "to be root": /^\d+\n[^]*(?:su|sudo)/,
    "to become another user": /^$|Invalid argument|not permitted/,
    "to make a user namespace": /unshare failed|write failed/,
    // The kernel shows no address to those without rights.
    "to read the kernel's memory": /kcore: No such file/,
    "to get round the filter by a ring": /refused: (?:Function not implemented|Operation not permitted)/,
    "to connect to a socket without a path": /^$|Connection refused/,
    "to see packets": /refused/,
    // These are not held, but for some by some engines.
    "to trace its own": /done|refused/,
    "to read memory of a process": /done|refused/,
    "to use the user's keys": /done|refused/,
    "to keep memory in a file without a name": /done/,
    "to keep memory beyond its process": /done/,
    "to connect to the host of a virtual machine": /done|refused/,
    "a fork bomb": noProcess,
    "a bomb of processes that wait": noProcess,
    "memory of one process": noMemory,
    "memory of many processes": noMemory,
    "memory of files in /tmp": noMemory,
    "memory of many empty files": noMemory,
  },
  // Docker and podman let programs connect to sockets in a folder that they have; runsc does not.
  ["to connect to a socket in the folder"],
);

test("a container ends at its timeout, with its call and when its sandbox is closed", async () => {
  const box = open({ timeout: 1_500 });
  await expect(box.exec(["sleep", "1000"])).resolves.toMatchObject({ exitCode: 137, ended: "timeout" });
  for (const delay of [0, 50, 100, 200, 400]) {
    const signal = AbortSignal.timeout(delay);
    await expect(box.exec(["sleep", "1000"], { signal })).rejects.toThrow("timeout");
  }
  const call = box.exec(["sleep", "1000"]);
  setTimeout(() => void box.close(), 500);
  await expect(call).rejects.toThrow("closed");
  await expect.poll(countContainers, { timeout: 10_000 }).toBe(0);
});

test("a container whose process is killed ends soon after its time", async () => {
  const { root } = host();
  const killed = await startOtherUser(false);
  const { path, started, ended } = namedPipe(root);
  const options = { ...attemptOptions(root), via: engine.via, timeout: 1_000 };
  const call = Promise.allSettled([
    killed.exec(options, ["bash", "-c", `exec 3>${path}; echo up >&3; sleep 1000`]),
  ]);
  await started;
  await killed.kill();
  expect(await call).toMatchObject([{ status: "rejected" }]);
  expect(await ended).toBe("ended");
  await expect.poll(countContainers, { timeout: 10_000 }).toBe(0);
});

test("files are written and read there, and variables arrive as they are", async () => {
  const { root } = host();
  const env = { A: "x y\n'$HOME' \"z\"", PATH: "/usr/bin" };
  const box = open({ write: [root], env });
  await box.write(join(root, "new/file"), new Uint8Array([0, 255]));
  expect(readFileSync(join(root, "new/file"))).toEqual(Buffer.from([0, 255]));
  expect(Buffer.from(await box.read(join(root, "new/file")))).toEqual(Buffer.from([0, 255]));
  await expect(box.exec(["printenv", "A"])).resolves.toMatchObject({ stdout: `${env.A}\n` });
  await expect(box.exec(["env"])).resolves.not.toMatchObject({ stdout: expect.stringContaining("SKEIN_") });
  await expect(box.exec(["cat"], { stdin: "in" })).resolves.toMatchObject({ stdout: "in" });
});

test("a file that would be gone after the call is not written", async () => {
  const { root } = host();
  const box = open({ write: [root] });
  for (const path of ["/tmp/x", "/dev/shm/x", join(root, "../x")])
    await expect(box.write(path, "x")).rejects.toThrow(/gone after this call|Read-only|Permission denied/);
  await expect(box.write("/tmp/x", "x")).rejects.toThrow(`gone after this call. Write below ${root}.`);
  await expect(box.read("/tmp/x")).rejects.toThrow("Each call has a new /tmp");
});

test("a program that is missing is an error, one that fails is not", async () => {
  const box = open({});
  await expect(box.exec(["-x"])).rejects.toThrow("-x cannot be started: there is no such program");
  await expect(box.exec(["no-such-program"])).rejects.toThrow(
    "no-such-program cannot be started: there is no",
  );
  await expect(box.exec(["sh", "-c", "exit 127"])).resolves.toMatchObject({ exitCode: 127 });
  await expect(box.exec([])).rejects.toThrow("needs a program");
});

test("a folder that another sandbox has replaced by a link is refused", async () => {
  const { root, outside } = host();
  const part = join(root, "part");
  mkdirSync(part);
  const reader = open({ read: [part] });
  await expect(reader.exec(["ls", part])).resolves.toMatchObject({ exitCode: 0 });
  await attempt(root, `rmdir part && ln -s ${outside} part`);
  await expect(reader.exec(["cat", join(part, "id_rsa")])).rejects.toThrow(SandboxError);
});

test("without the engine or the image nothing runs", async () => {
  const run = (via: SandboxOptions["via"]) => sandbox.open({ via }).exec(["true"]);
  await expect(run({ ...engine.via, image: "localhost/no-such-image" })).rejects.toMatchObject({
    code: "sandbox-unavailable",
    message: expect.stringMatching(/no-such-image failed[^]*docker pull/),
  });
  await expect(run({ ...engine.via, container: "no-such-engine" })).rejects.toMatchObject({
    code: "sandbox-unavailable",
    message: expect.stringContaining("no no-such-engine on PATH"),
  });
});
