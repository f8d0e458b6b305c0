import { inspect } from "./inspect.js";

export const Unit = { Kilometre: "km", Mile: "mi", Foot: "ft" };

export function measure(path, unit = Unit.Kilometre) {
  return inspect([path, unit]);
}

export const clean = (user, caller, force) => inspect([user, caller.context.token, force]);
