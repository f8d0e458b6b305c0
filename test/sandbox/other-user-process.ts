/** A process of another user: each line asks for a program in a sandbox. */
import { createInterface } from "node:readline";
import { sandbox } from "skein/sandbox";
import type { OtherAnswer, OtherCall } from "./other-user.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const { options, argv }: OtherCall = JSON.parse(line);
  const box = sandbox.open(options);
  const answer: OtherAnswer = await box.exec(argv).then(
    (result) => ({ result }),
    (error: Error) => ({ error: { code: "code" in error ? error.code : undefined, message: error.message } }),
  );
  await box.close();
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
