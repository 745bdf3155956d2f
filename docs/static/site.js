// What is wide scrolls by itself: its edge fades for as long as there is more to see.
for (const each of document.querySelectorAll("pre, .table-wrapper, .formula, .picture, .printed .clue-solver table")) {
  each.tabIndex = 0;
  const look = () => each.classList.toggle("more", each.scrollLeft + each.clientWidth < each.scrollWidth - 1);
  each.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(each);
}
