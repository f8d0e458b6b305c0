const wrongNames = [
  "arguments",
  "args",
  "input",
  "editedArgs",
  "editedArguments",
  "edited_arguments",
  "approvalArguments",
  "params",
  "parameters",
] as const;

/**
 * What clients may call the arguments that a person has edited, with what a protocol calls them: those of another protocol are an easy
 * mistake, after which the call would be made as it was not approved.
 * @param name - What they are called.
 */
export function editHints(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(wrongNames.map((each) => [each, name]));
}
