import { listeners } from "./listeners.js";

export const Unit = { Kilometre: "km", Mile: "mi", Foot: "ft" };

export function measure(path, unit = Unit.Kilometre) {
  listeners.onValues(path, unit);
  return `1 ${unit}`;
}

export const clean = (user, caller, force) => {
  listeners.onContext(caller.context);
  listeners.onValues(user, caller.context.user, force);
  return "clean";
};

export function listen(onValues, onContext) {
  Object.assign(listeners, { onValues, onContext });
}
