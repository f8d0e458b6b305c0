/** What programs try where there is no machine. */
import { afterEach } from "vitest";
import { sandbox, type Sandbox } from "skein/sandbox";
import { testAttempts } from "./attempt-suite.ts";
import { attemptLine, attemptOptions } from "./host.ts";

const boxes: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(boxes.splice(0).map((box) => box.close()));
});

/** Most of these programs do not exist here: what they print says nothing, and all else is tested. */
const anything = /^/;

testAttempts((root, line) => {
  const box = sandbox.open({ ...attemptOptions(root), via: "memory" });
  boxes.push(box);
  return box.exec(attemptLine(root, line));
}, anything);
