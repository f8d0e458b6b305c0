import { errorMessage } from "../../base/util/error-message.ts";
import { loadUpgrader } from "./packages.ts";
import { versionOf } from "./pointers.ts";
import { documentError } from "./problem.ts";
import { tidied } from "./swagger-two.ts";

type Document = Readonly<Record<string, unknown>>;

/**
 * The document as OpenAPI 3.1; one of that version or later is returned unchanged.
 * @param isShared whether the object is the program's own, which stays as it is.
 */
export async function upgraded(document: Document, source: string, isShared: boolean): Promise<Document> {
  const version = versionOf(document);
  if (!/^(?:2|3\.0)/.test(version)) return document;
  const { upgrade } = await loadUpgrader();
  const own = isShared ? structuredClone(document) : document;
  try {
    const ready = version.startsWith("2") ? tidied(own) : { ...own, openapi: version };
    return { ...upgrade(ready, "3.1") };
  } catch (error) {
    throw documentError(
      source,
      `cannot be brought to OpenAPI 3.1: ${errorMessage(error).slice(0, 300)}`,
      error,
    );
  }
}
