/**
 * What `npm run example NAME` does: talks with the agent of `examples/NAME/agent.ts` (`skein chat`), or runs the program
 * `examples/NAME.ts` or `examples/NAME/demo.ts`. Without a model in the environment, both speak with the offline one.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "examples");

/** The folder whose files are programs, each on its own. */
const programs = "basic";

/** What runs by itself, where no agent is to be talked with. */
const demonstration = "demo.ts";

const [name] = process.argv.splice(2, 1);
const names = exampleNames();
if (name === undefined || !names.includes(name)) list(name);
else {
  if (!existsSync(join(root, "dist/cli/bin.js"))) build();
  await start(name);
}

async function start(name: string): Promise<void> {
  const program = [`${name}.ts`, join(name, demonstration)]
    .map((file) => join(folder, file))
    .find((file) => existsSync(file));
  if (program !== undefined) {
    if (name.startsWith(`${programs}/`)) await chooseModel();
    process.argv[1] = program;
    return void (await import(pathToFileURL(program).href));
  }
  process.argv.splice(2, 0, "chat", join(folder, name, "agent.ts"));
  await import(pathToFileURL(join(root, "dist/cli/bin.js")).href);
}

/** Programs throw without a model; an example runs all the same. */
async function chooseModel(): Promise<void> {
  const { defaultModel } = await import("#model-resolution");
  try {
    await defaultModel();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ModelNotFoundError" || process.env["SKEIN_MODEL"])
      throw error;
    process.env["SKEIN_MODEL"] = "offline";
    console.error(
      "Offline stand-in: keyword rules, not a language model. For a real one, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.",
    );
  }
}

function exampleNames(): readonly string[] {
  const agents = readdirSync(folder)
    .filter((name) => ["agent.ts", demonstration].some((file) => existsSync(join(folder, name, file))))
    .sort();
  const files = readdirSync(join(folder, programs))
    .filter((file) => /^(?!agent\.|evals\.|test-)[a-z-]+\.ts$/.test(file))
    .map((file) => `${programs}/${file.slice(0, -".ts".length)}`);
  return agents.flatMap((name) => (name === programs ? [name, ...files.sort()] : [name]));
}

function list(wrong: string | undefined): void {
  const say = wrong === undefined ? console.log : console.error;
  if (wrong !== undefined) say(`There is no example ${JSON.stringify(wrong)}.`);
  say(`npm run example NAME [-- OPTIONS OF skein chat]\n\n${names.map((name) => `  ${name}`).join("\n")}`);
  if (wrong !== undefined) process.exitCode = 1;
}

function build(): void {
  console.error("Building first ...");
  // The transcript alone goes to standard output, so that it can be piped on.
  const { status, error } = spawnSync(process.execPath, [join(root, "scripts/build.ts")], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  console.error(
    `The build failed${error ? `: ${error.message}` : ""}. Is everything installed? Try: npm install`,
  );
  process.exit(1);
}
