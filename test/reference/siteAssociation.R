# Writes siteAssociation.json beside this file: the references of test/checkers/CVL012-site-confounding/association.test.ts.
# Run: Rscript test/reference/siteAssociation.R (R package jsonlite)
# Chi-square and H are R's own; V less its bias is formula (2.5) ff. of Bergsma 2013, written out here.
tables <- list(
  two_by_two = matrix(c(30, 10, 12, 28), 2),
  three_sites = matrix(c(20, 15, 30, 25, 18, 5), 3),
  weak = matrix(c(20, 22, 19, 30, 29, 31), 3),
  four_by_three = matrix(c(5, 9, 14, 2, 8, 8, 3, 12, 7, 7, 9, 1), 4)
)
bergsma <- function(m) {
  n <- sum(m)
  r <- nrow(m)
  k <- ncol(m)
  phi <- suppressWarnings(chisq.test(m, correct = FALSE)$statistic) / n
  phi <- max(0, phi - (k - 1) * (r - 1) / (n - 1))
  unname(sqrt(phi / min(k - (k - 1)^2 / (n - 1) - 1, r - (r - 1)^2 / (n - 1) - 1)))
}
classes <- lapply(tables, function(m) list(
  table = m, # one row per site
  statistic = unname(suppressWarnings(chisq.test(m, correct = FALSE)$statistic)),
  effect = bergsma(m)
))
values <- airquality$Ozone
keep <- !is.na(values)
kruskal <- kruskal.test(values[keep], airquality$Month[keep])
n <- sum(keep)
k <- length(unique(airquality$Month[keep]))
h <- unname(kruskal$statistic)
# Noncentrality at which a chi-square test at level .005 has power .9.
noncentrality <- function(df) {
  critical <- qchisq(0.995, df)
  uniroot(function(l) pchisq(critical, df, l, lower.tail = FALSE) - 0.9, c(1, 300), tol = 1e-10)$root
}
degrees <- c(1, 2, 3, 4, 5, 10, 20, 50, 100)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
write(jsonlite::toJSON(list(
  versions = list(R = R.version.string),
  classes = classes,
  numbers = list(ranks = rank(values[keep]), site = airquality$Month[keep] - 5, statistic = h,
                 effect = sqrt((h - k + 1) / (n - k))),
  detectable = list(degrees = degrees, noncentrality = sapply(degrees, noncentrality))
), auto_unbox = TRUE, digits = NA), file.path(here, "siteAssociation.json"))
