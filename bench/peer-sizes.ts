import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What the application of a peer ships. */
export interface PeerSize {
  readonly name: string;
  /** Minified and gzipped, each chunk by itself. */
  readonly bytes: number;
  /** How many times as much Skein may ship. */
  readonly most: number;
}

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** Applications that ask one model one question, as in `applicationSize`. A client of a provider has no loop and no tools. */
const applications = [
  {
    name: "the AI SDK",
    most: 0.5,
    code:
      'import { generateText } from "ai"; import { createOpenAI } from "@ai-sdk/openai";' +
      'export const answer = () => generateText({ model: createOpenAI()("gpt-5.2"), prompt: "Hello" });',
  },
  {
    name: "the openai package alone",
    most: 1.25,
    code:
      'import OpenAI from "openai"; export const answer = () => new OpenAI().chat.completions.create(' +
      '{ model: "gpt-5.2", messages: [{ role: "user", content: "Hello" }] });',
  },
];

/** What applications of other packages ship; none where these are not installed. */
export async function peerSizes(): Promise<readonly PeerSize[]> {
  if (!existsSync(`${folder}node_modules/ai`)) {
    console.error("Without the sizes of other packages: npm ci --prefix bench/peers installs them.");
    return [];
  }
  return Promise.all(
    applications.map(async ({ name, most, code }) => ({ name, most, bytes: await shippedSize(code) })),
  );
}

/** Built for an edge runtime, with the same settings as Skein's application. */
async function shippedSize(contents: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder, sourcefile: "application.js" },
    bundle: true,
    minify: true,
    write: false,
    splitting: true,
    outdir: "application",
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
    target: "es2023",
    logLevel: "error",
  });
  return outputFiles.reduce((sum, file) => sum + gzipSync(file.contents, { level: 9 }).byteLength, 0);
}
