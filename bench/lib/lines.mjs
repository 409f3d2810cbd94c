/** Takes chunks and gives each whole line, parsed, to `onMessage`. */
export function messageReader(onMessage) {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop();
    for (const line of lines) onMessage(JSON.parse(Buffer.from(line, 'latin1').toString()));
  };
}
