import { follow, itemsOf, member, membersOf, textIn } from "./pointers.ts";
import type { SecurityRequirement, SecurityScheme } from "./types.ts";

/** The security schemes of a document, by name. */
export function securitySchemes(root: unknown): ReadonlyMap<string, SecurityScheme> {
  const schemes = membersOf(member(member(root, "components"), "securitySchemes"));
  return new Map(schemes.map(([name, scheme]) => [name, schemeOf(follow(root, scheme).value)]));
}

function schemeOf(scheme: unknown): SecurityScheme {
  const type = textIn(scheme, "type") ?? "unknown";
  if (type === "apiKey") {
    const place = textIn(scheme, "in");
    const name = textIn(scheme, "name");
    const isPlace = place === "header" || place === "query" || place === "cookie";
    return isPlace && name !== undefined
      ? { kind: "apiKey", in: place, name }
      : { kind: "unsupported", type };
  }
  if (type === "http") {
    const kind = textIn(scheme, "scheme")?.toLowerCase() ?? "";
    return kind === "bearer" || kind === "basic" ? { kind } : { kind: "unsupported", type: `http ${kind}` };
  }
  if (type === "openIdConnect") return { kind: "bearer" };
  if (type !== "oauth2") return { kind: "unsupported", type };
  const tokenUrl = textIn(member(member(scheme, "flows"), "clientCredentials"), "tokenUrl");
  return { kind: "oauth2", ...(tokenUrl !== undefined && { tokenUrl }) };
}

/**
 * What a request needs: any one of the lists, all of it.
 * @param required the `security` of an operation, else of the document.
 */
export function requirementsOf(
  required: unknown,
  schemes: ReadonlyMap<string, SecurityScheme>,
): readonly (readonly SecurityRequirement[])[] {
  return itemsOf(required).map((alternative) =>
    membersOf(alternative).map(([name, scopes]) => ({
      name,
      scheme: schemes.get(name) ?? {
        kind: "unsupported",
        type: `${name}, which the document does not define`,
      },
      scopes: itemsOf(scopes).filter((scope): scope is string => typeof scope === "string"),
    })),
  );
}
