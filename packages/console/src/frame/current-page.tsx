// Shows the page of the present address, as soon as its code is loaded.

import type { ComponentType } from 'preact';
import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty, Failure } from '../elements/loading.tsx';
import { Page } from '../elements/page.tsx';
import { Link } from '../routing/link.tsx';
import { place } from '../routing/location.ts';
import type { PageProps } from '../routing/page-props.ts';
import { hasScope } from '../session/session.ts';
import { type FoundPage, findPage, type PageEntry } from './page-table.ts';

interface ShownProps {
  found: FoundPage;
  Content: ComponentType<PageProps>;
}

export function CurrentPage() {
  const { path } = place.value;
  const found = findPage(path);
  const [loaded, setLoaded] = useState<{ entry: PageEntry; Content: ComponentType<PageProps> } | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const entry = found?.entry;
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    entry?.load().then(
      (Content) => isCurrent && setLoaded({ entry, Content }),
      (error) => isCurrent && setFailure(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [entry]);

  if (!found) return <NotFound />;
  if (!hasScope(found.entry.scope)) return <NotAllowed scope={found.entry.scope} />;
  if (failure) return <Outdated />;
  if (loaded?.entry !== entry || !loaded) return null;
  return <Shown key={keyOf(found)} found={found} Content={loaded.Content} />;
}

/** Another object is another page: no state of the former one stays. */
function keyOf({ entry, props }: FoundPage): string {
  return `${entry.pattern} ${Object.values(props).join(' ')}`;
}

/** A mistake of one page does not take the others with it. */
class Shown extends Component<ShownProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
  }

  override render({ found, Content }: ShownProps) {
    if (!this.state.error) return <Content {...found.props} />;
    return (
      <Page title="This page has failed">
        <Failure error={this.state.error} retry={() => this.setState({ error: undefined })} />
      </Page>
    );
  }
}

function NotFound() {
  return (
    <Page title="Not found">
      <Empty action={<Link to="/">Go to the overview</Link>}>There is no such page.</Empty>
    </Page>
  );
}

function NotAllowed({ scope }: { scope: string }) {
  return (
    <Page title="Not allowed">
      <Empty action={<Link to="/">Go to the overview</Link>}>
        This page needs the scope “{scope}”. Ask an administrator for a client that has it.
      </Empty>
    </Page>
  );
}

/** A chunk of an older build is gone after the service was updated. */
function Outdated() {
  return (
    <Page title="This page could not be loaded">
      <Empty
        action={
          <button type="button" class="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        }
      >
        The service does not respond, or it has been updated. Reload the console.
      </Empty>
    </Page>
  );
}
