/** Above this much unread output no more is added to it: one who never reads must not fill our memory. */
export const HIGH_WATER_BYTES = 4 * 1024 * 1024;
