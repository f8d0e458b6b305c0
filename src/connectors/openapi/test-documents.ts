/** A document of OpenAPI 3.1 with one operation, `ask`, or with the parts that are passed. */
export function documentOf(
  operation: object,
  more: { readonly path?: string; readonly method?: string; readonly [key: string]: unknown } = {},
): Record<string, unknown> {
  const { path = "/ask", method = "get", ...rest } = more;
  return {
    openapi: "3.1.0",
    info: { title: "One operation", version: "1" },
    paths: { [path]: { [method]: { operationId: "ask", ...operation } } },
    ...rest,
  };
}
