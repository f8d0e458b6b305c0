// What TypeScript makes of the enums in enumerations.d.ts.
export const Role = { Owner: "owner", Admin: "admin", Guest: "guest" };
export const Level = { Low: 0, Middle: 5, High: 10, 0: "Low", 5: "Middle", 10: "High" };
export const Direction = { North: 0, East: 1, South: 2, West: 3 };
export const Access = { None: 0, Read: 1, Write: 2, Both: 3 };
export const Answer = { No: 0, Yes: "YES" };
export const Shift = { Back: -1, Stay: 0, Forth: 1 };
export const Single = { Sole: "sole" };
