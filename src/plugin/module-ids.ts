import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";

/** The ids of modules in which schemas may be attached: own source files, with or without a query. */
export const sourceIds: { readonly include: RegExp; readonly exclude: RegExp } = {
  include: /\.[cm]?[jt]sx?(?:\?|$)/,
  exclude: /[\\/]node_modules[\\/]/,
};

/** Queries of Vite that replace a module's code: its text, its address, a worker that runs it. */
const replacingQuery = /[?&](?:raw|url|inline|no-inline|worker|sharedworker)(?:[&=]|$)/;

/** The source file whose text is the code of the module `id`; `undefined` for virtual modules and assets. */
export function sourceFileOf(id: string): string | undefined {
  if (isAbsolute(id) && existsSync(id)) return id;
  const file = id.replace(/\?.*$/s, "");
  if (replacingQuery.test(id.slice(file.length))) return undefined;
  return isAbsolute(file) && existsSync(file) ? file : undefined;
}
