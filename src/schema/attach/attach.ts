import { noteBuild } from "../../base/util/built-program.ts";
import { rememberSchema } from "./schemas.ts";

/**
 * The schemas of the functions in a value: a function's, or that of `output<T>()`, as JSON; those of a list by place, with `null` where there is
 * nothing to attach; those of an object by property, inherited ones included.
 */
export type Attachment = string | readonly (Attachment | null)[] | { readonly [name: string]: Attachment };

/**
 * Makes the schemas of functions known, and gives the value back as it is. Builds write these calls; there is no need to.
 * A list that has become longer or shorter since it was read is left alone.
 */
export function attach<T>(value: T, schemas: Attachment): T {
  noteBuild();
  attachAll(value, schemas);
  return value;
}

function attachAll(value: unknown, schemas: Attachment | null): void {
  if (typeof schemas === "string") {
    if (typeof value === "function" || (typeof value === "object" && value !== null))
      rememberSchema(value, schemas);
  } else if (Array.isArray(value) && value.length !== Object.keys(schemas ?? []).length) {
    return;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(schemas ?? {}))
      if (!isReplaced(value, name)) attachAll(Reflect.get(value, name), inner);
  }
}

/** Whether an instance has something else in place of its class's method, which the build has described. */
function isReplaced(instance: object, name: string): boolean {
  const prototype: unknown = Object.getPrototypeOf(instance);
  const isOfClass = typeof prototype === "object" && prototype !== null && prototype !== Object.prototype;
  if (!isOfClass || !Object.hasOwn(instance, name)) return false;
  const method: unknown = Reflect.get(prototype, name, instance);
  const own: unknown = Reflect.get(instance, name);
  if (typeof method !== "function" || typeof own !== "function") return false;
  // Constructors bind methods: `this.pay = this.pay.bind(this)`.
  return method !== own && own.name !== `bound ${method.name}`;
}
