/** What is private in TypeScript is no tool in what a compiler emits, whatever folder that is in or is copied to. */
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../bundlers/projects.ts";
import { attach, compilerOptions, makeProject, writeAll } from "./projects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = [process.execPath, join(root, "node_modules/typescript/bin/tsc")];

const files: Readonly<Record<string, string>> = {
  "src/ledger.ts": `
    /**
     * Find somebody.
     * @param {string} name
     * @returns {string}
     */
    export const find = (name: string): string => name;

    export class Ledger {
      #euros = 0;
      private wipe = (): number => (this.#euros = 0);

      constructor(private readonly lookUp: (name: string) => string, protected readonly notify = find) {}

      /** Pay euros in. */
      payIn(euros: number): number {
        return (this.#euros += euros);
      }

      /** The balance. */
      balance(): string {
        return this.lookUp(this.notify(String(this.#euros)));
      }

      private reset(): void {
        this.wipe();
      }

      /**
       * Comments may have types in TypeScript as well.
       * @param {string} name
       * @returns {string}
       */
      private purge(name: string): string {
        this.reset();
        return this.audit() + name;
      }

      /** @returns {string} */
      protected audit(): string {
        return this.purge("");
      }

      /** For the tests alone. @internal */
      peek(): number {
        return this.#euros;
      }
    }
  `,
  "src/program.ts": `
    import { schemaOf, tool, toolkit, type Toolset } from "skein";
    import { find, Ledger } from "./ledger.js";

    const scope = { context: {}, agent: undefined, messages: [] } as never;
    async function list(kit: Toolset): Promise<unknown> {
      const tools = await Promise.resolve(kit.tools(scope)).catch((error: Error) => error.message);
      return typeof tools === "string" ? tools : tools.map(({ name }) => name).toSorted();
    }

    const ledger = new Ledger(find);
    const kits = new Map<string, any>([["untold", new Ledger(find)]]);
    const finder = tool(find);
    const typed = await list(toolkit(ledger));
    const any = await list(toolkit(kits.get("untold")));
    console.log(JSON.stringify({ typed, any, finder: (await schemaOf(finder)).name }));
  `,
};

interface Printed {
  /** The tools of an instance of its class's type, or the error. */
  readonly typed: unknown;
  /** Those of one of the type `any`. */
  readonly any: unknown;
  /** The name of a function that is a tool, and in a private property, too. */
  readonly finder: unknown;
}

const folders = [".", "lib", "server", "dist"];
const publicMethods = ["balance", "payIn"];
const refusal = /^Cannot determine whether these methods of Ledger are public:\n/;

/** Emits the program into a folder, and copies what was emitted to a place without its sources. */
async function emit(
  folder: string,
  { options = [], attaches = false }: { readonly options?: readonly string[]; readonly attaches?: boolean },
): Promise<{ readonly inPlace: Printed; readonly copied: Printed }> {
  const name = ["private", folder === "." ? "here" : folder, ...options, attaches ? "attached" : ""].join(
    "-",
  );
  const project = await makeProject(name, "module", files);
  await writeAll(project, {
    "tsconfig.json": JSON.stringify({
      compilerOptions: { ...compilerOptions, outDir: folder },
      files: ["src/program.ts"],
    }),
  });
  const { exitCode, stdout, stderr } = await run([...tsc, ...options], project);
  expect(exitCode, stdout + stderr).toBe(0);
  const attached = attaches ? await attach(project, folder) : undefined;
  expect(attached?.exitCode ?? 0, attached?.stderr).toBe(0);
  return { inPlace: await print(project, folder), copied: await print(await copy(project, folder), folder) };
}

async function copy(project: string, folder: string): Promise<string> {
  const place = `${project}-copied`;
  await rm(place, { recursive: true, force: true });
  await mkdir(join(place, "node_modules"), { recursive: true });
  await symlink(root, join(place, "node_modules", "skein"), "dir");
  const isEmitted = /^(?!.*[\\/](?:src|node_modules|tsconfig\.json)$)/;
  await cp(join(project, folder), join(place, folder), {
    recursive: true,
    filter: (source) => source === join(project, folder) || isEmitted.test(source),
  });
  await cp(join(project, "package.json"), join(place, "package.json"));
  return place;
}

async function print(place: string, folder: string): Promise<Printed> {
  const { exitCode, stdout, stderr } = await run([process.execPath, join(folder, "program.js")], place);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe.each(folders)("emitted into %s", (folder) => {
  let plain: { readonly inPlace: Printed; readonly copied: Printed };
  beforeAll(async () => {
    plain = await emit(folder, {});
  });

  test.each(["inPlace", "copied"] as const)(
    "%s, all methods are refused: nothing tells which are private",
    (place) => {
      expect(plain[place].typed).toMatch(refusal);
      expect(plain[place].any).toMatch(refusal);
      for (const name of ["wipe", "lookUp", "notify", "reset", "purge", "audit"])
        expect(plain[place].typed).toMatch(new RegExp(`^ {2}- ${name}\\b`, "m"));
    },
  );

  test("with declarations, the public methods are tools; without types, none", async () => {
    const { inPlace, copied } = await emit(folder, { options: ["--declaration"] });
    for (const { typed, any } of [inPlace, copied]) {
      expect(typed).toEqual(publicMethods);
      expect(any).toMatch(refusal);
    }
  });

  test("with source maps beside the sources, too", async () => {
    const { inPlace } = await emit(folder, { options: ["--sourceMap"] });
    expect(inPlace.typed).toEqual(publicMethods);
    expect(inPlace.any).toMatch(refusal);
  });

  test("after skein attach, the public ones are tools, and functions in private properties stay what they are", async () => {
    const { inPlace, copied } = await emit(folder, { attaches: true });
    for (const { typed, any, finder } of [inPlace, copied]) {
      expect(typed).toEqual(publicMethods);
      // The class is the same, whatever the type of its instance.
      expect(any).toEqual(publicMethods);
      expect(finder).toBe("find");
    }
  });
});
