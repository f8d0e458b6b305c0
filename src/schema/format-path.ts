/** A JSON path as people and models read it: `["items", 2, "unit price"]` as `$.items[2]["unit price"]`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = "$";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return text;
}
