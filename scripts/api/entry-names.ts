/** A plugin of TypeDoc: modules are called as they are imported. */

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
    declaration.name = declaration.name === "index" ? "skein" : `skein/${declaration.name}`;
  });
}
