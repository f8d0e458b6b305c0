import { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { loadTypeScript, openApi } from "./typescript-process.ts";

test("TypeScript's process ends at once, without a word, when it is closed or this process ends", async () => {
  const api = openApi(await loadTypeScript(), process.cwd(), () => undefined);
  const channel: unknown = Reflect.get(Reflect.get(api, "client"), "channel");
  const child: unknown = channel instanceof Object ? Reflect.get(channel, "child") : undefined;
  if (!(child instanceof ChildProcess)) throw new Error("TypeScript has no process of its own.");
  const exited = once(child, "exit");
  child.kill();
  expect(await exited).toEqual([null, "SIGKILL"]);
});
