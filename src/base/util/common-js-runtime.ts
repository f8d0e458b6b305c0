/** What Node and Jest call the error of a module that CommonJS cannot load. */
const codes: ReadonlySet<unknown> = new Set([
  "ERR_REQUIRE_ESM",
  "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG",
  "ERR_REQUIRE_ASYNC_MODULE",
]);

/** Whether a module could not be loaded since Jest runs CommonJS alone. In its sandbox the error is of another `Error`. */
export function isCommonJsFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && codes.has(error.code);
}

/** Why nothing can be looked for in Jest without modules, and what to do there. */
export const commonJsPlace: { readonly reason: string; readonly remedy: string } = {
  reason: "Jest runs this test as CommonJS, in which TypeScript cannot be loaded",
  remedy:
    "Run Jest with NODE_OPTIONS=--experimental-vm-modules, leave skein out of what it transforms, and on Node before 24.9 set " +
    'extensionsToTreatAsEsm: [".ts"] in its configuration',
};
