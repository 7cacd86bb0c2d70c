// A link to another page of the console, without loading the page anew.

import type { ComponentChildren, HTMLAttributes, TargetedMouseEvent } from 'preact';
import { hrefOf, navigate } from './location.ts';

interface LinkProps extends Omit<HTMLAttributes<HTMLAnchorElement>, 'href' | 'role'> {
  /** A path below `/console`, with its query. */
  to: string;
  children: ComponentChildren;
}

export function Link({ to, children, onClick, ...rest }: LinkProps) {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...rest} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
