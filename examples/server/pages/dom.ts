/** An element with a class and a text. */
export function node(tag: string, className: string, text = ""): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** A button that does something. */
export function button(label: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.addEventListener("click", onClick);
  return element;
}

/** A value that a person may change before they decide. */
export function approvalForm(
  value: unknown,
  decide: (decision: "approve" | "deny", edited?: object) => void,
): readonly (HTMLElement | string)[] {
  const original = JSON.stringify(value, null, 2);
  const area = document.createElement("textarea");
  area.setAttribute("aria-label", "Arguments");
  area.value = original;
  const approve = button("Approve", () => {
    decide("approve", area.value === original ? undefined : JSON.parse(area.value));
  });
  area.addEventListener("input", () => (approve.disabled = !isJson(area.value)));
  const deny = button("Deny", () => decide("deny"));
  return [" waits for your decision. You can change the arguments.", area, approve, deny];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
