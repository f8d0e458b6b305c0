import type { Names } from "./names.ts";
import { follow, itemsOf, member, membersOf, oncePerObject, textIn } from "./pointers.ts";
import { collectionFormatKey } from "./swagger-two.ts";
import type { OperationParameter, ParameterLocation, ParameterStyle, Serialization } from "./types.ts";

/** The styles that each place allows; the first is the default. */
const styles: Readonly<Record<ParameterLocation, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Swagger 2.0's ways to write a list, as styles. */
const collectionFormats: ReadonlyMap<string, Partial<Serialization>> = new Map([
  ["csv", { explode: false }],
  ["ssv", { style: "spaceDelimited", explode: false }],
  ["tsv", { style: "tabDelimited", explode: false }],
  ["pipes", { style: "pipeDelimited", explode: false }],
  ["multi", { explode: true }],
]);

/** Headers that say how a request is sent, or as which method: nobody sets them by a parameter. OpenAPI itself leaves out the first three. */
const ownHeaders =
  /^(?:x-http-method(?:-override)?|x-method-override|accept|content-type|authorization|host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|proxy-.*)$/i;

/** Reads what a list of parameters has, or says why that is none. */
export type ParameterReader = (listed: unknown) => OperationParameter | { readonly problem: string };

/** Reads the parameters of a document, those that operations share only once. */
export function parameterReader(root: unknown): ParameterReader {
  const read = oncePerObject((parameter) => readParameter(root, parameter));
  return (listed) => read(follow(root, listed).value);
}

function readParameter(root: unknown, parameter: unknown): ReturnType<ParameterReader> {
  const name = textIn(parameter, "name");
  const place = textIn(parameter, "in");
  if (name === undefined)
    return { problem: "one of its parameters has no name, or is a reference that names nothing" };
  if (isPlace(place)) return parameterOf(root, parameter, name, place, "");
  return {
    problem: `its parameter ${name} is in ${JSON.stringify(place)}, which is not a place for parameters`,
  };
}

/** What a path item and its operation say of parameters, the operation's own going first. Each of them once. */
export function parametersOf(
  read: ParameterReader,
  lists: readonly unknown[],
  names: Names,
  isHidden: (place: ParameterLocation, name: string) => boolean,
): readonly OperationParameter[] | { readonly problem: string } {
  const parameters = new Map<string, OperationParameter>();
  for (const listed of lists.flatMap(itemsOf)) {
    const parameter = read(listed);
    if ("problem" in parameter) return parameter;
    const { name, in: place } = parameter;
    const key = `${place} ${place === "header" ? name.toLowerCase() : name}`;
    if (parameters.has(key) || isHidden(place, name) || (place === "header" && ownHeaders.test(name)))
      continue;
    parameters.set(key, parameter);
  }
  return [...parameters.values()].map((parameter) => ({
    ...parameter,
    argument: names.take(parameter.name, `${parameter.name}_${parameter.in}`),
  }));
}

function isPlace(place: string | undefined): place is ParameterLocation {
  return place !== undefined && Object.hasOwn(styles, place);
}

function parameterOf(
  root: unknown,
  parameter: unknown,
  name: string,
  place: ParameterLocation,
  argument: string,
): OperationParameter {
  const [content] = membersOf(member(parameter, "content"));
  const media = content && follow(root, content[1]).value;
  const description = textIn(parameter, "description");
  return {
    name,
    in: place,
    argument,
    required: place === "path" || member(parameter, "required") === true,
    ...(description !== undefined && { description }),
    schema: member(content ? media : parameter, "schema"),
    ...serializationOf(parameter, styles[place]),
    ...(content && { mediaType: content[0] }),
  };
}

/** How a parameter or a field is written. The first of `allowed` holds if it says nothing that is among them. */
export function serializationOf(
  definition: unknown,
  allowed: readonly ParameterStyle[] = styles.query,
): Serialization {
  const wish = textIn(definition, "style");
  const style = allowed.find((each) => each === wish) ?? allowed[0] ?? "form";
  const explode = member(definition, "explode");
  const format = collectionFormats.get(textIn(definition, collectionFormatKey) ?? "");
  return {
    style,
    // Deep objects have no other form.
    explode: style === "deepObject" || (typeof explode === "boolean" ? explode : style === "form"),
    allowReserved: member(definition, "allowReserved") === true,
    ...format,
  };
}

/** The place of a parameter in a path. */
export const placeholder: RegExp = /\{([^{}]*)\}/g;

/** Why a request with this path would not be what its arguments say, as a sentence: no `{id}` is ever sent as it stands there. */
export function pathProblem(path: string, parameters: readonly OperationParameter[]): string | undefined {
  const [route = ""] = path.split(/[?#]/, 1);
  const behind = [...path.matchAll(placeholder)].find(
    ({ 0: whole, index }) => index + whole.length > route.length,
  );
  if (behind)
    return `${behind[0]} stands in the query or the fragment of its path, where nothing is filled in`;
  const names = new Set(parameters.filter((each) => each.in === "path").map(({ name }) => name));
  const rest = path.replaceAll(placeholder, (whole, name: string) => (names.has(name) ? "" : whole));
  const missing = rest.match(placeholder);
  if (missing) return `no parameter is declared for ${missing.join(", ")} in its path`;
  const lost = [...names].find((name) => !path.includes(`{${name}}`));
  return lost === undefined ? undefined : `its path has no place for its parameter ${lost}`;
}
