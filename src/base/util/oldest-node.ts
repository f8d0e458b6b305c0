/** The oldest version of Node that Skein runs on, as `engines` of package.json says. */
export const oldestNode = "22.18.0";
