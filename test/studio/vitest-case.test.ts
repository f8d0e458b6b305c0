/** Calls as tests of vitest: each is compiled and executed. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run, type Agent } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { describeAgents } from "../../src/studio/describe-agents.ts";
import type { AgentView } from "../../src/studio/records.ts";
import { RunRecord } from "../../src/studio/run-record.ts";
import { vitestCase } from "../../src/studio/vitest-case.ts";
import { openData } from "./data.ts";

const agentsFile = `import { Agent, tool } from "skein";

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { readonly amount: number }) => \`Paid \${amount} "euros".\\nThanks.\`,
});
const greet = tool({
  name: "greet",
  input: { type: "object" },
  execute: (_input: object, { context }) => \`Hello \${JSON.stringify(context)}.\`,
});
export const till = new Agent({ name: "The till", tools: [pay, greet] });
export default till;
`;

test("calls as tests compile, and pass: a plain one, one with a context, one that is approved, and one that was wrong", async () => {
  const folder = new URL(`.work/case-${process.pid}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(new URL("agents.ts", folder), agentsFile);
  const { till: agent }: { readonly till: Agent } = await import(
    /* @vite-ignore */ new URL("agents.ts", folder).href
  );
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "greet", arguments: {} },
        { toolName: "pay", arguments: { amount: "many" } },
        { toolName: "pay", arguments: { amount: 120 } },
      ],
    },
    "Done.",
  ]);
  const page = await openData([agent]);
  const paused = await run(agent.with({ model }), 'Pay "now".', { runId: "r", context: { user: "ada" } });
  const approvals = paused.pending.map(
    ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
  );
  const done = await run(agent.with({ model }), paused.state, { approvals });
  expect(done.text).toBe("Done.");
  const { steps } = await page.run("r");
  const views: readonly AgentView[] = await describeAgents([agent]);
  const record = Object.assign(new RunRecord("r", undefined, agent.name, 0), {
    question: 'Pay "now".',
    context: { user: "ada" },
  });
  const calls = steps.flatMap((step) => (step.kind === "tool" && !step.waits ? [step] : []));
  expect(calls.map(({ outcome }) => outcome)).toEqual(["success", "invalid-arguments", "success"]);
  for (const [index, name] of ["till", "default", undefined].entries()) {
    const exportNames = new Map(name === undefined ? [] : [[agent.name, name]]);
    const call = calls[index];
    if (!call) throw new TypeError("a call is missing");
    const code = vitestCase(record, call, views, { file: "src/agents.ts", exportNames });
    // Where the name is not known, it is that of the agent.
    const text = name === undefined ? code.replace("{ theTill }", "{ till as theTill }") : code;
    await writeFile(new URL(`case-${index}.test.ts`, folder), text);
  }
  await writeFile(
    new URL("tsconfig.json", folder),
    JSON.stringify({
      extends: "../../../../tsconfig.json",
      compilerOptions: { noEmit: true, declaration: false, isolatedDeclarations: false },
      include: ["*.ts"],
    }),
  );
  const root = fileURLToPath(folder);
  await writeFile(
    new URL("vitest.config.ts", folder),
    "export default { test: { include: ['*.test.ts'] } };\n",
  );
  const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
  const command = promisify(execFile);
  const compiled = await command(bin("tsc"), ["-p", root]).catch((error: unknown) => Object(error));
  expect(compiled).toMatchObject({ stdout: "" });
  const report = fileURLToPath(new URL("report.json", folder));
  await command(bin("vitest"), ["run", "--root", root, "--reporter=json", `--outputFile=${report}`], {
    env: { ...process.env, VITEST: undefined },
  });
  expect(JSON.parse(await readFile(report, "utf8"))).toMatchObject({ numPassedTests: 3, numFailedTests: 0 });
}, 120_000);
