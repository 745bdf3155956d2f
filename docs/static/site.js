// What is wide scrolls by itself, by keys as well; its edge fades for as long as there is more to see.
for (const each of document.querySelectorAll("pre, .table-wrapper, .formula, p:has(> img)")) {
  each.tabIndex = 0;
  const look = () => each.classList.toggle("more", each.scrollLeft + each.clientWidth < each.scrollWidth - 1);
  each.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(each);
}
// What the theme does not tell those who hear a page.
for (const each of document.querySelectorAll(".caption[role=heading]")) each.ariaLevel = "2";
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "all pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "on this page");
