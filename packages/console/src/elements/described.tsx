// A text of the service in which code stands between backticks, as in Markdown.

export function Described({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
