/** What programs try in boxes of bubblewrap. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sandbox, SandboxError } from "skein/sandbox";
import { testAttempts } from "./attempt-suite.ts";
import { attempt, openSocket, secret } from "./host.ts";

const host = testAttempts(attempt);

test("sockets are not those of the machine with its network either", async () => {
  const line = [openSocket(1), openSocket(40), openSocket(2)].join("; echo; ");
  const { stdout } = await attempt(host().root, line, { net: true });
  expect(stdout).toMatch(/^refused.*\nrefused.*\ndone$/);
});

test("the name of the machine stays unknown", async () => {
  const { stdout } = await attempt(host().root, "cat /proc/sys/kernel/hostname; uname -n");
  expect(stdout).toBe("sandbox\nsandbox\n");
  expect(hostname()).not.toBe("sandbox");
});

test("a link that another program puts in place of a folder while it is read leads nowhere", async () => {
  const { root, outside } = host();
  const box = sandbox.open({ write: [root] });
  const stop = new AbortController();
  const flips = box.exec(
    [
      "bash",
      "-c",
      `cd ${root}; mkdir real; echo fine > real/id_rsa; while :; do ln -sfn real way; ln -sfn ${outside} way; done`,
    ],
    { signal: stop.signal },
  );
  const reads: string[] = [];
  for (let count = 0; count < 25; count++) {
    reads.push(
      await box.read(join(root, "way/id_rsa")).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => "refused",
      ),
    );
    await box.write(join(root, "way/planted"), "x").catch(() => {});
  }
  stop.abort();
  await expect(flips).rejects.toThrow("aborted");
  expect(reads.filter((text) => !["fine\n", "refused"].includes(text))).toEqual([]);
  expect(readdirSync(outside)).toEqual(["id_rsa"]);
});

test("a folder that another sandbox has replaced by a link is refused", async () => {
  const { root, outside } = host();
  const part = join(root, "part");
  mkdirSync(part);
  const reader = sandbox.open({ read: [part] });
  await expect(reader.exec(["ls", part])).resolves.toMatchObject({ exitCode: 0 });
  await attempt(root, `rmdir part && ln -s ${outside} part`);
  await expect(reader.exec(["cat", join(part, "id_rsa")])).rejects.toThrow(SandboxError);
});

test("a folder that is a link from the beginning is what it leads to", async () => {
  const link = join(dirname(host().root), "begin");
  symlinkSync(host().outside, link);
  const reader = sandbox.open({ read: [link] });
  await expect(reader.exec(["cat", join(link, "id_rsa")])).resolves.toMatchObject({ stdout: secret });
  await expect(reader.write(join(link, "planted"), "x")).rejects.toThrow("Read-only");
  expect(existsSync(join(host().outside, "planted"))).toBe(false);
});
