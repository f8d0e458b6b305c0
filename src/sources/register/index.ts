/**
 * `node --import skein/register app.ts`, or `bun --preload skein/register app.ts`: attaches schemas to functions where they
 * are used as tools, while the program's files are loaded. The types are removed afterwards, as they would be without; no
 * line moves.
 */
if ("bun" in process.versions) {
  const { registerInBun } = await import("./bun.ts");
  await registerInBun();
} else {
  const { registerInNode } = await import("./node.ts");
  await registerInNode();
}
