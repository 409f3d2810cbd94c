/** What both sides call MCP in `Sec-WebSocket-Protocol`. */
export const SUBPROTOCOL = 'mcp';
