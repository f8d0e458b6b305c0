import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { applicationSize, bundledSize } from "../scripts/size.ts";
import { medians, wallTime } from "./measure.ts";
import { peerSizes } from "./peer-sizes.ts";
import type { Row } from "./table.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** What it costs to have Skein at all: time, bytes, and what it reaches beyond itself. */
export async function startUpRows(): Promise<readonly Row[]> {
  const size = await bundledSize("index");
  const application = await applicationSize();
  const taken = await medians({
    floor: () => processThat(""),
    skein: () => processThat('import "skein"'),
  });
  return [
    {
      what: 'a process that does import "skein"',
      unit: "ms",
      floor: taken("floor"),
      skein: taken("skein"),
      limit: { of: "difference", most: 15 },
    },
    {
      what: "  minified and gzipped, with all that it loads",
      unit: "KB",
      skein: size.loaded / 1000,
      limit: { of: "skein", most: 25 },
    },
    { what: "  what an application of one agent ships", unit: "KB", skein: application.shipped / 1000 },
    ...(await peerSizes()).map(({ name, bytes, most }): Row => ({
      what: `  the same, beside ${name}`,
      unit: "KB",
      floor: bytes / 1000,
      skein: application.shipped / 1000,
      limit: { of: "ratio", most },
    })),
    { what: "  what is loaded of it in the first run", unit: "KB", skein: application.firstRun / 1000 },
    {
      what: "  Node modules that it reaches",
      unit: "",
      skein: (await builtinsReached()).length,
      limit: { of: "skein", most: 0 },
    },
  ];
}

/** Milliseconds of a fresh process that evaluates `program`, on average of five. */
function processThat(program: string): Promise<number> {
  const args = ["--input-type=module", "--eval", program];
  const spawn = async (): Promise<unknown> => execFileSync(process.execPath, args, { cwd: folder });
  return wallTime(spawn, 5);
}

/** The modules of Node that the built entry imports, itself or through others. */
async function builtinsReached(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: ["./dist/index.js"],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    external: ["#*"],
    tsconfigRaw: {},
    logLevel: "error",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return imports.filter(({ path, external }) => external && !path.startsWith("#")).map(({ path }) => path);
}
