/** The recipes of docs/workflow-engines.md: both type-check, and that of DBOS works, on a PostgreSQL of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../durable/postgres-server.ts";

const root = join(import.meta.dirname, "../..");
// Within the project, for the packages that the recipes import.
const folder = join(root, "test/.docs", `engines-${process.pid}`);
const execute = promisify(execFile);

const agents = `import { appendFileSync } from "node:fs";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";

const refund = tool({
  name: "refund",
  approval: true,
  input: { type: "object", properties: {} },
  execute: (_, { idempotencyKey }) => {
    appendFileSync(process.env["EFFECTS"] ?? "", \`\${idempotencyKey}\\n\`);
    return "Done.";
  },
});
const model = new FunctionModel(({ messages }) =>
  messages.at(-1)?.role === "user" ? { toolCalls: [{ toolCallId: "call-1", toolName: "refund", arguments: {} }] } : "Sent.",
);
export const triage = new Agent({ name: "Triage", model, tools: [refund] });
`;

/** A program that starts the workflow, or goes on with it, and dies when it waits for the decision unless it is to decide. */
const program = `import { DBOS } from "@dbos-inc/dbos-sdk";
import { app, refundWorkflow } from "./refund-workflow.ts";

DBOS.setConfig({ name: "refunds", systemDatabaseUrl: process.env["DATABASE_URL"] ?? "", logLevel: "error", runAdminServer: false });
await DBOS.launch();
void app.work();
const handle = await DBOS.startWorkflow(refundWorkflow, { workflowID: "order-7" })("7");
if (process.argv[2] === "die") {
  while ((await app.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await app.get("refund-7").result();
  process.kill(process.pid, "SIGKILL");
}
await DBOS.send("order-7", "approve", "decision");
console.log(await handle.getResult());
await DBOS.shutdown();
await app.close();
process.exit();
`;

let server: PostgresServer;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const page = readFileSync(join(root, "docs/workflow-engines.md"), "utf8");
  for (const [, code = "", name = ""] of page.matchAll(/^```typescript\n(\/\/ (\S+\.ts)\n[\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), code);
  writeFileSync(join(folder, "agents.ts"), agents);
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{ "extends": "../../../tsconfig.json", "compilerOptions": { "isolatedDeclarations": false, "declaration": false }, "include": ["**/*.ts"] }\n',
  );
  server = await startPostgres();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the recipes type-check", async () => {
  const checked = await execute("tsc", ["-p", folder], { cwd: root }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  expect(checked).toBe("");
});

test("a workflow of DBOS whose process is killed goes on with its run: one effect, once decided", async () => {
  const effects = join(folder, "effects");
  writeFileSync(effects, "");
  const env = { ...process.env, DATABASE_URL: await server.newDatabase(), EFFECTS: effects };
  const source = join(root, "test/from-source.ts");
  const start = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
    execute(process.execPath, ["--import", source, join(folder, "program.ts"), ...args], { env });
  await expect(start("die")).rejects.toMatchObject({ signal: "SIGKILL" });
  expect(readFileSync(effects, "utf8")).toBe("");
  const { stdout } = await start();
  expect(stdout).toBe("Sent.\n");
  expect(readFileSync(effects, "utf8")).toBe("refund-7/turn-1/tool/call-1\n");
}, 120_000);
