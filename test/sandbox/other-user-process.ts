/** A process of another user: each line asks for programs in sandboxes, all at once. */
import { createInterface } from "node:readline";
import { sandbox } from "skein/sandbox";
import type { OtherAnswer, OtherCall } from "./other-user.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const calls: readonly OtherCall[] = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await Promise.all(calls.map(answerTo)))}\n`);
}

async function answerTo({ options, argv }: OtherCall): Promise<OtherAnswer> {
  const box = sandbox.open(options);
  const answer: OtherAnswer = await box.exec(argv).then(
    (result) => ({ result }),
    (error: Error) => ({ error: { code: "code" in error ? error.code : undefined, message: error.message } }),
  );
  await box.close();
  return answer;
}
