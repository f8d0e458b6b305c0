import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { textAnswer } from "./answers.ts";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

/** How long a program takes to its first request, from the start of its process; the schemas of its tools are in the cache. */
export async function coldRows(): Promise<readonly Row[]> {
  let arrivedAt = 0;
  const server = createServer((request, response) => {
    arrivedAt ||= performance.now();
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(textAnswer(1).join(""));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const start = async (args: readonly string[]): Promise<number> => {
    arrivedAt = 0;
    const startedAt = performance.now();
    await promisify(execFile)(process.execPath, args);
    return (arrivedAt || performance.now()) - startedAt;
  };
  const folder = await makeProject();
  const program = join(folder, "cold-app.ts");
  try {
    const medianOf = await medians({
      floor: () => start(["--input-type=module", "--eval", ""]),
      skein: () => start([program, `http://127.0.0.1:${port}`]),
    });
    const row = { floor: medianOf("floor"), skein: medianOf("skein") };
    const what = "node app.ts, three functions, to its first request";
    return [{ what, unit: "ms", ...row, limit: { of: "difference", most: 120 } }];
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

/** A folder as a user has it: here, the types of the package would be read from its sources. */
async function makeProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-cold-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(packageFolder, join(folder, "node_modules", "skein"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await cp(fileURLToPath(new URL("cold-app.ts", import.meta.url)), join(folder, "cold-app.ts"));
  return folder;
}
