// The browser script of the docs page: search, copy buttons, the current section in the navigation, and the menu on
// phones. The page is readable without it.

export const pageScript = `'use strict';
(() => {
  const search = document.getElementById('search');
  const guide = document.getElementById('guide');
  const found = document.getElementById('found');
  const sections = [...document.querySelectorAll('section.type')];
  const entries = new Map([...document.querySelectorAll('#type-list li')].map((item) => [item.dataset.type, item]));

  const find = () => {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    for (const section of sections) {
      const isNamed = section.dataset.type.toLowerCase().includes(wanted);
      let hasRow = false;
      for (const row of section.querySelectorAll('tbody tr')) {
        const isHit = wanted !== '' && row.cells[0].firstChild.textContent.toLowerCase().includes(wanted);
        row.classList.toggle('hit', isHit);
        hasRow ||= isHit;
      }
      const isShown = isNamed || hasRow;
      section.hidden = !isShown;
      entries.get(section.dataset.type).hidden = !isShown;
      if (isShown) count += 1;
    }
    document.body.classList.toggle('finding', wanted !== '');
    found.textContent = wanted === '' ? '' : count === 0
      ? 'No type or attribute name contains “' + search.value.trim() + '”.'
      : count + ' of ' + sections.length + ' types match by name or by an attribute name.';
  };
  search.addEventListener('input', () => {
    find();
    if (search.value !== '') scrollTo(0, 0);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') openMenu(false);
    if (event.key !== 'Escape') return;
    search.value = '';
    find();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    openMenu(true);
    search.focus();
  });

  const menu = document.getElementById('menu');
  const side = document.querySelector('nav.side');
  const openMenu = (isOpen) => {
    side.classList.toggle('open', isOpen);
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  document.documentElement.classList.add('scripted');
  menu.hidden = false;
  menu.addEventListener('click', () => openMenu(!side.classList.contains('open')));
  side.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link) return;
    openMenu(false);
    const target = document.getElementById(link.hash.slice(1));
    if (search.value !== '' && target && guide.contains(target)) {
      search.value = '';
      find();
    }
  });

  if (navigator.clipboard) {
    for (const block of document.querySelectorAll('.code')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.querySelector('pre').textContent);
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 1500);
      });
      block.append(button);
    }
  }

  const links = new Map([...document.querySelectorAll('#contents a')].map((link) => [link.hash.slice(1), link]));
  const inView = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    const [current] = [...inView].sort((a, b) => a.offsetTop - b.offsetTop);
    for (const [id, link] of links) {
      if (current && id === current.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-10% 0px -70% 0px' });
  for (const section of document.querySelectorAll('#guide > section, section.type')) observer.observe(section);
})();
`;
