/** Whether a value is the address of an app's page, as `ui` of a tool names it. */
export function isUiAddress(value: unknown): value is string {
  return typeof value === "string" && /^ui:\/\/[^\s\p{C}]{1,995}$/u.test(value);
}
