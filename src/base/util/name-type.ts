/** What an object is, with its article: `a Database`. */
export function nameType(value: object): string {
  const name = nameOf(value);
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function nameOf(value: object): string {
  const type: unknown = Reflect.get(value, "constructor");
  if (typeof type === "function" && type.name !== "") return type.name;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? "object with a prototype" : tag;
}
