/** The account of the last question. The next question starts with this account. */
export const lastAsked = { account: "" };
