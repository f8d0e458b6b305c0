/** A plugin of TypeDoc: modules are called as they are imported. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceEntries } from "../source-entries.ts";

const sources = fileURLToPath(new URL("../../src", import.meta.url));

/** What programs import, by what TypeDoc calls a module: its path in `src/`, without `/index`. */
const importNames: ReadonlyMap<string, string> = new Map(
  [...sourceEntries].map(([name, file]) => {
    const path = relative(sources, file).replace(/\.ts$/, "");
    return [path.replace(/\/index$/, ""), name];
  }),
);

/** A declaration of TypeDoc, as far as it matters here. */
interface Declaration {
  name: string;
  readonly kind: number;
}

/** `ReflectionKind.Module` of TypeDoc. */
const moduleKind = 2;

/** Called by TypeDoc when it starts. */
export function load(app: {
  readonly converter: {
    on(event: "createDeclaration", listener: (context: unknown, declaration: Declaration) => void): void;
  };
}): void {
  app.converter.on("createDeclaration", (_context, declaration) => {
    if (declaration.kind !== moduleKind) return;
    declaration.name = importNames.get(declaration.name) ?? declaration.name;
  });
}
