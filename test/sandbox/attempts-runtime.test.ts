/** What programs try in boxes of sandbox-runtime. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sandbox } from "skein/sandbox";
import { testAttempts } from "./attempt-suite.ts";
import { attemptLine, attemptOptions } from "./host.ts";
import { namedPipe } from "./named-pipe.ts";
import { startOtherUser, type OtherUser } from "./other-user.ts";

let user: OtherUser;
beforeAll(async () => {
  user = await startOtherUser();
});
afterAll(() => user.close());

const host = testAttempts(
  (root, line) => user.exec({ ...attemptOptions(root), via: "sandbox-runtime" }, attemptLine(root, line)),
  {
    // Folders are there, and empty.
    "to list the home folder": /^\.\n\.\.\n$/,
    "to read it by the root of another process": /Permission denied/,
    // What is hidden is memory, which may be written and is counted.
    "to write settings": /^$/,
    "to write among devices": /^$/,
    "to read the environment of the first process": /Permission denied/,
    // Programs learn the way to the proxy.
    "to read the process's environment": /^TMPDIR=\/tmp$/m,
    "to be root": /^(?!0)\d+\n[^]*(?:su|sudo)/,
    "to name the machine": /must be root/,
    "to set the kernel": /Permission denied/,
    // The kernel shows no address to those without rights, and keys of the user.
    "to read the kernel's memory": /kcore: No such file/,
    "to connect to a socket in the folder": /refused: Operation not permitted/,
    "to connect to a socket without a path": /refused: Operation not permitted/,
    // The kernel refuses this one itself.
    "to load a program into the kernel": /refused/,
    // These are not held.
    "to trace its own": /^done$/,
    "to read memory of a process": /^done$/,
    "to use the user's keys": /^done$/,
    "to keep memory in a file without a name": /^done$/,
    "to keep memory beyond its process": /^done$/,
  },
);

test("a box ends with the process that started it", async () => {
  const killed = await startOtherUser();
  const { path, started, ended } = namedPipe(host().root);
  const line = `exec 3>${path}; (setsid sleep 1000 &); echo up >&3; sleep 1000`;
  const call = Promise.allSettled([
    killed.exec({ ...attemptOptions(host().root), via: "sandbox-runtime" }, ["bash", "-c", line]),
  ]);
  await started;
  await killed.kill();
  expect(await call).toMatchObject([{ status: "rejected" }]);
  expect(await ended).toBe("ended");
});

test("a folder that another sandbox has replaced by a link is refused", async () => {
  const { root, outside } = host();
  const part = join(root, "part");
  mkdirSync(part);
  const options = { read: [part], via: "sandbox-runtime" } as const;
  await user.exec(attemptOptions(root), attemptLine(root, `rmdir part; mv part old; ln -s ${outside} part`));
  await expect(user.exec(options, ["ls", part])).rejects.toThrow("is a link now");
});

test("a folder to write in one to read is refused", async () => {
  const { root } = host();
  const nested = { read: [root], write: [join(root, "in")], via: "sandbox-runtime" } as const;
  await expect(user.exec(nested, ["true"])).rejects.toThrow("in a folder to read");
});

test("as root nothing runs", async () => {
  vi.spyOn(process, "getuid").mockReturnValue(0);
  const box = sandbox.open({ via: "sandbox-runtime" });
  await expect(box.exec(["true"])).rejects.toMatchObject({
    code: "sandbox-unavailable",
    message: expect.stringContaining("Run the process as another user"),
  });
});
