export function inspect(values) {
  return JSON.stringify(values);
}
